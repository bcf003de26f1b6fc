// Generates pages of a given size. Some are typical pages, and others need the most memory for their size.

const WORDS =
  "the harbor was quiet in the early morning, and no one who came down to the water expected to find it closed ";

/** Each function returns the i-th part of a page. A page consists of as many parts as its size requires. */
export const SHAPES = {
  article: (i: number) =>
    `<p>${WORDS.repeat(4)}<a href="/${i}">note ${i}</a>, <em>${WORDS.slice(0, 40)}</em>${WORDS}.</p>\n`,
  "article in Russian": (i: number) => `<p>${"Гавань была тиха ранним утром, и никто не ждал ".repeat(4)}${i}.</p>\n`,
  "data table": (i: number) =>
    `<tr><td>${i}<td>Harbor ${i % 97}<td>${i * 7}.25<td>open<td>${WORDS.slice(0, 30)}</tr>\n`,
  "short cells": () => "<td>x",
  paragraphs: () => "<p>x",
  links: (i: number) => `<a href=/${i}>x</a> `,
  attributes: (i: number) => `<b a${i}=1 b${i}=2 c${i}=3>x</b>`,
} as const satisfies Record<string, (i: number) => string>;

export type Shape = keyof typeof SHAPES;

export function makePage(shape: Shape, bytes: number): Buffer {
  const isTable = shape === "data table" || shape === "short cells";
  const parts = [`<!doctype html><title>${shape}</title><article><h1>${shape}</h1>${isTable ? "<table>" : ""}`];
  let size = Buffer.byteLength(parts[0] ?? "");
  for (let i = 0; ; i++) {
    const part = SHAPES[shape](i);
    size += Buffer.byteLength(part);
    if (size > bytes) return Buffer.from(parts.join(""));
    parts.push(part);
  }
}
