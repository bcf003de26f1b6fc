/** The text that every extraction of the article must contain. */
export const WORDS = "The keeper of the harbour writes each height by hand, in a ledger that has been kept since 1899.";

export const ARTICLE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tides</title></head><body><article><h1>Tides</h1><p>${WORDS}</p></article></body></html>`;
