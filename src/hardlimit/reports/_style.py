"""The style sheet: one column that fits a telephone, paper, and a dark screen.

Colours are those of Okabe and Ito, which colour-blind readers tell apart; no meaning rests on
colour alone. Text has a contrast of 4.5 at least on both grounds.
"""

from __future__ import annotations

from hardlimit.reports._markup import Markup

# taken as it is: nothing of the user's comes into it
STYLE = Markup(
    """
:root{--ground:#fff;--ink:#1b1f23;--soft:#575e66;--rule:#d9dde2;--card:#f6f7f9;--link:#005a8f;
--one:#0072b2;--two:#d55e00;--three:#009e73;--heat:0 114 178;--miss:213 94 0}
@media (prefers-color-scheme:dark){:root{--ground:#14171a;--ink:#e8eaed;--soft:#a9b1ba;
--rule:#363c43;--card:#1d2125;--link:#7cc4f2;--one:#56b4e9;--two:#e69f00;--three:#2fc79a;
--heat:86 180 233;--miss:230 159 0}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;max-width:56rem;padding:1.25rem 1rem 3rem;background:var(--ground);
color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
overflow-wrap:anywhere}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0 .25rem}
h2{font-size:1.3rem;line-height:1.25;margin:0 0 .75rem}
h3{font-size:1.05rem;margin:1.75rem 0 .5rem}
p{margin:.5rem 0}
a{color:var(--link)}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;background:var(--ground)}
.sub,.note,.where{color:var(--soft)}
.note,.where{font-size:.875rem}
nav ol{columns:16rem;padding-left:1.4rem;margin:1.25rem 0;font-size:.9375rem}
nav li{break-inside:avoid}
section{border-top:1px solid var(--rule);margin-top:2.25rem;padding-top:1.5rem}
.lead{font-size:1.125rem}
dl{margin:.75rem 0}
dl>div{display:grid;grid-template-columns:minmax(9rem,17rem) 1fr;gap:.25rem 1rem;padding:.3rem 0;
border-bottom:1px solid var(--rule)}
dt{color:var(--soft)}
dd{margin:0;min-width:0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem}
.tiles>div{display:flex;flex-direction:column-reverse;background:var(--card);padding:.75rem 1rem;
border:0;border-radius:.5rem}
.tiles dd{font-size:1.5rem;font-weight:600;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto;margin:1rem 0}
.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;min-width:min(100%,22rem)}
caption{text-align:left;font-weight:600;padding:.25rem 0 .5rem;overflow-wrap:anywhere}
th,td{padding:.35rem .75rem .35rem 0;text-align:left;vertical-align:top;
border-bottom:1px solid var(--rule)}
thead th{color:var(--soft);font-weight:500;font-size:.875rem;vertical-align:bottom}
table{overflow-wrap:normal}
tbody th{font-weight:500;min-width:6.5rem;max-width:22rem;overflow-wrap:anywhere}
.n{text-align:right;white-space:nowrap}
tbody td:not(.n,.bars){min-width:6.5rem}
td small{display:block;color:var(--soft);font-size:.8125rem}
details{margin:.5rem 0 1rem}
summary{cursor:pointer;color:var(--link)}
summary h2{display:inline}
section>details>summary{color:inherit}
section>details{margin:0}
section:has(>details:not([open])){margin-top:1rem;padding-top:1rem}
article details{margin:.25rem 0 0;font-size:.9375rem}
article details caption{position:absolute;left:-99rem}
.line{display:block;max-width:15rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.scroll:has(>.heat){width:max-content;min-width:100%;max-width:calc(100vw - 3rem);margin-left:50%;
transform:translateX(-50%)}
.heat th{white-space:nowrap}
.heat tbody th,.heat thead th:first-child{position:sticky;left:0;background:var(--ground)}
.heat td{padding-left:.75rem}
.heat thead .line{max-width:9rem;margin-left:auto}
.heat caption{position:sticky;left:0;max-width:calc(100vw - 3rem)}
.tall{font-size:.875rem}
.tall thead .n{writing-mode:vertical-rl;padding:.35rem}
.tall thead .line{max-width:none;max-height:13rem;margin:0}
.tall td{padding:.3rem .45rem}
td.right{background:rgb(var(--heat)/calc(.06 + .3*var(--share)))}
td.wrong{background:rgb(var(--miss)/calc(.06 + .4*var(--share)))}
.bars{width:9rem;min-width:5rem;vertical-align:middle}
.track{display:block;height:.7rem}
.track i{display:block;height:100%;min-width:1px;border-radius:1px}
i.for{background:var(--one)}
i.against{background:repeating-linear-gradient(135deg,var(--two) 0 3px,transparent 3px 5px);
border:1px solid var(--two)}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:1rem 2rem}
.pair>*{min-width:0}
figure{margin:1rem 0;max-width:30rem}
figcaption{font-weight:600;padding:.25rem 0 .5rem}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{fill:var(--ink);font-size:11.5px;font-family:inherit}
.axis{stroke:var(--soft);stroke-width:1}
.grid{stroke:var(--rule);stroke-width:1}
.at{stroke:var(--ink);stroke-width:1;stroke-dasharray:4 3}
.line{fill:none;stroke-width:2;stroke-linejoin:round}
.line.one{stroke:var(--one)}
.line.two{stroke:var(--two);stroke-dasharray:6 3}
.line.chance{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:3 4}
.dot.one{fill:var(--one)}
.dot.two{fill:var(--two)}
.dot.chance{fill:none}
.bar{stroke:var(--ground);stroke-width:.6}
.bar.one{fill:var(--one)}
.bar.two{fill:var(--two)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:.25rem 0;
font-size:.875rem}
.key{display:inline-block;width:.9rem;height:.7rem;margin-right:.4rem;background:var(--one)}
.key.two{background:var(--two)}
.key.chance{height:0;vertical-align:middle;background:none;border-top:2px dashed var(--soft)}
article{background:var(--card);border-radius:.5rem;padding:.75rem 1rem;margin:.9rem 0}
article .head{margin-top:0}
.head .where{margin-left:.6rem;white-space:nowrap}
article .scroll{margin:.5rem 0 0}
article td,article th{padding-top:.15rem;padding-bottom:.15rem;font-size:.9375rem}
@media (min-width:46rem){article{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,21rem);
gap:0 1.5rem}article .head{grid-column:1/-1}}
article caption{font-weight:400;font-size:.875rem;color:var(--soft)}
article .bars{width:6rem;min-width:3rem}
article tbody th{min-width:7rem;max-width:11rem;overflow-wrap:anywhere}
mark{background:none;color:inherit;text-decoration:underline 2px var(--one);
text-underline-offset:3px}
mark.against{text-decoration:underline wavy 1.5px var(--two)}
mark.for.s1{background:rgb(var(--heat)/.08)}mark.for.s2{background:rgb(var(--heat)/.18)}
mark.for.s3{background:rgb(var(--heat)/.28)}mark.for.s4{background:rgb(var(--heat)/.4)}
mark.against.s1{background:rgb(var(--miss)/.08)}mark.against.s2{background:rgb(var(--miss)/.18)}
mark.against.s3{background:rgb(var(--miss)/.28)}mark.against.s4{background:rgb(var(--miss)/.4)}
blockquote.whole{margin:1rem 0;line-height:1.8}
blockquote{margin:.5rem 0;padding-left:.75rem;border-left:3px solid var(--rule);overflow:hidden;
align-self:start}
code{font-size:.8125rem;overflow-wrap:anywhere}
footer{color:var(--soft);font-size:.875rem;margin-top:3rem}
@media (max-width:34rem){dl:not(.tiles)>div{grid-template-columns:1fr;gap:0}
.tiles{grid-template-columns:1fr 1fr}.tiles dd{font-size:1.25rem}h1{font-size:1.45rem}
article{padding:.75rem}
.heat .line{max-width:8.5rem}.scroll:has(>.heat){max-width:calc(100vw - 2rem)}
th,td{padding-right:.5rem}thead .n{white-space:normal}
tbody th,tbody td:not(.n,.bars){min-width:4.5rem}
.shares small{white-space:normal;max-width:4rem;margin-left:auto}}
@media print{:root{--ground:#fff;--ink:#000;--soft:#444;--rule:#bbb;--card:#fff;--link:#000;
--one:#0072b2;--two:#d55e00;--heat:0 114 178;--miss:213 94 0}
body{max-width:none;padding:0;font-size:10pt}nav,.skip{display:none}a{text-decoration:none}
.scroll{overflow:visible;break-inside:avoid}
.scroll:has(>.heat){width:auto;max-width:none;margin-left:0;transform:none}
.scroll>.tall :is(td,th){padding:.1rem .25rem;font-size:7pt}
.tall .line{max-width:9rem;max-height:9rem}
figure{max-width:22rem}section{break-inside:auto}h2,h3,caption{break-after:avoid}
details::details-content{content-visibility:visible;block-size:auto}
article,figure,tr,.tiles{break-inside:avoid}article,.tiles>div{border:1px solid var(--rule)}
section>p,article .head{break-after:avoid}article td,article th{padding:.05rem .5rem .05rem 0;
font-size:8.5pt}table{font-size:9pt}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
"""
)
