import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import {
  bracketMatching,
  ensureSyntaxTree,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, linter } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The time (ms) for which the editor may parse the text to find an error. */
const PARSE_MS = 200;

/** The colors are the variables of style.css, so the editor follows the light and the dark scheme. */
const THEME = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--surface)", color: "var(--text)", fontSize: "0.86rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", border: "1px solid var(--line-strong)" },
});

const COLORS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.number, color: "var(--series-2)" },
  { tag: [tags.bool, tags.null], color: "var(--busy)" },
]);

interface EditorOptions {
  text: string;
  /** The attributes of the editable element, which connect it to its label and hint. */
  attributes: Record<string, string>;
  /** The nonce of the page's content security policy. */
  nonce: string;
  /** Called after the user or `setText` has changed the text. */
  onChange: (text: string) => void;
  /** Called with the first error of the text, or null. */
  onCheck: (error: string | null) => void;
}

/** An editor for JSON. It marks the first error. The Tab key leaves the editor. */
export class JsonEditor {
  readonly #view: EditorView;

  constructor(parent: Element, { text, attributes, nonce, onChange, onCheck }: EditorOptions) {
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(nonce),
          // axe-core expects a tab stop in the scrolling element, although an editable element is one without `tabindex`.
          EditorView.contentAttributes.of({ ...attributes, tabindex: "0" }),
          EditorView.lineWrapping,
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          json(),
          syntaxHighlighting(COLORS),
          THEME,
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
          linter(({ state }) => {
            const error = findError(state);
            onCheck(error?.message ?? null);
            return error === null ? [] : [error];
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    // Measures the lines before the first paint. Otherwise, the line numbers would move afterward.
    this.#view.coordsAtPos(0);
  }

  /** Replaces the whole text. The user can undo it. */
  setText(text: string): void {
    const { state } = this.#view;
    if (state.doc.toString() === text) return;
    this.#view.dispatch({ changes: { from: 0, to: state.doc.length, insert: text } });
  }

  focus(): void {
    this.#view.focus();
  }
}

/** Returns the first error of the text, or null if it is a JSON object or empty. */
function findError(state: EditorState): Diagnostic | null {
  const text = state.doc.toString();
  if (text.trim() === "") return null;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? null : toDiagnostic(state, 0, "The schema must be a JSON object.");
  } catch {
    // The messages of browsers differ, and not all of them contain a position.
    const at = findErrorPosition(state);
    const { number, from } = state.doc.lineAt(at);
    return toDiagnostic(state, at, `The JSON isn't valid at line ${number}, column ${at - from + 1}.`);
  }
}

function findErrorPosition(state: EditorState): number {
  let at = state.doc.length;
  ensureSyntaxTree(state, state.doc.length, PARSE_MS)?.iterate({
    enter: (node) => {
      if (node.type.isError) at = Math.min(at, node.from);
    },
  });
  return at;
}

function toDiagnostic(state: EditorState, at: number, message: string): Diagnostic {
  return {
    from: Math.min(at, Math.max(0, state.doc.length - 1)),
    to: state.doc.lineAt(at).to,
    severity: "error",
    message,
  };
}
