// The contrast of every text that is shown, as WCAG 2 computes it; those below the least wanted.
() => {
  const parse = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below) => ({
    r: top.r * top.a + below.r * (1 - top.a),
    g: top.g * top.a + below.g * (1 - top.a),
    b: top.b * top.a + below.b * (1 - top.a),
    a: 1,
  });
  const luminance = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const lineage = (one) => (one ? [...lineage(one.parentElement), one] : []);
  const failures = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let n = 0;
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest("button:disabled, .hush, noscript, .skip")) continue;
    let ground = { r: 255, g: 255, b: 255, a: 1 };
    let opacity = 1;
    for (const one of lineage(parent)) {
      const style = getComputedStyle(one);
      ground = over(parse(style.backgroundColor), ground);
      opacity *= Number(style.opacity);
    }
    const style = getComputedStyle(parent);
    const ink = parse(parent instanceof SVGElement ? style.fill : style.color);
    const [high, low] = [luminance(over({ ...ink, a: ink.a * opacity }, ground)), luminance(ground)].sort((p, q) => q - p);
    const ratio = (high + 0.05) / (low + 0.05);
    n += 1;
    if (ratio < 4.5) failures.push(`${ratio.toFixed(2)} ${parent.className?.baseVal ?? parent.className} ${walker.currentNode.data.slice(0, 40)}`);
  }
  return { n, failures };
}
