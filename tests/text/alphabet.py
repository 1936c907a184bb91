"""The code points whose properties this Python and the committed tables must agree on."""

import unicodedata

from hardlimit import _native

SAME_VERSION = unicodedata.unidata_version == _native.UNICODE_VERSION


def comparable(code: int) -> bool:
    """Not a surrogate; under another Unicode version, only what the tables know."""
    if 0xD800 <= code < 0xE000:
        return False
    return SAME_VERSION or _native.in_unicode_tables(code) or code < 0x80


ALL = [code for code in range(0x110000) if comparable(code)]
CASES = {
    "greek with final sigma": "Ο ΟΔΥΣΣΕΥΣ ΚΑΙ ΣΣ Σ ΑΣ. ΑΣ.Β ΑΣ'Σ Α\u0301Σ\u0301 Σ\u0345ΑΣ ΤΑΣ-ΑΣ_Σ",
    "turkish": "İSTANBUL'da Iğdır'ın İİ ılık IŞIK İ Iİ",
    "chinese": "中文分词很难，因为没有空格。3月5日 ABC公司 〇々",
    "japanese": "東京タワーは東京都港区にある。ラーメンを食べる ｶﾀｶﾅ ゛々ー",
    "thai": "ภาษาไทยไม่มีการเว้นวรรคระหว่างคำ ๑๒๓ ก็ ได้",
    "lao khmer burmese": "ພາສາລາວ ភាសាខ្មែរ မြန်မာဘာသာ ၁၂၃",
    "arabic": "السَّلامُ عَلَيْكُم ٣٤ كتاب ـــ لا",
    "devanagari": "नमस्ते दुनिया १२ क्षेत्र ज़्यादा",
    "emoji": "win 🎉🎉 a👍🏽b 👩‍👩‍👧 c1️⃣ ☃x",
    "combining": "e\u0301te\u0301 n\u0303 a\u0300\u0301b x\u200dy ze\u200cro soft\u00adhyphen",
    "letters with pairs": "ǅ Ǆ ǆ ß ẞ ﬁne K Å Ω Ⅷ ⅷ ª º ² ½ ① 𝔸𝔹 𐐀𐐁 Ა ა Ꭰ ꭰ",
    "spaces": "a\u00a0b\u3000cc\u2028dd\u0085ee\x1cff\x1f gg\u200bhh\u180eii\ufeffjj",
    "ascii": "It's 100% free!!! Win_a prize; call 0800-123-456 NOW\tor\r\nnever x y zz",
    "controls": "a\0b cc\0dd \x7f e\x01e",
}
