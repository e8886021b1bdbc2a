/** The table's keys as data; what a key means doesn't depend on the phase, only whether it may act. */
export interface Press {
  readonly key: string;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly repeat: boolean;
  /** Where the focus is. */
  readonly on: 'text' | 'control' | 'table';
}

export type Intent =
  | { readonly do: 'chip'; readonly place: number }
  | { readonly do: 'own'; readonly letter: string }
  | { readonly do: 'undo' | 'space' | 'deal' | 'all_sides' | 'limits' | 'speak' };

const LETTERS: Readonly<Record<string, Intent>> = {
  a: { do: 'all_sides' },
  l: { do: 'limits' },
  t: { do: 'speak' },
  u: { do: 'undo' },
};

const UNDO: Intent = { do: 'undo' };
const NAMED: Readonly<Record<string, Intent>> = { Delete: UNDO, Backspace: UNDO };
/** On a button these press the button. */
const PRESSING: Readonly<Record<string, Intent>> = { ' ': { do: 'space' }, Enter: { do: 'deal' } };

/** The action of a key press; null for other keys. `own` are the game's letters. */
export function intent(press: Press, shortcuts: boolean, own: readonly string[] = []): Intent | null {
  if (press.on === 'text' || press.repeat || press.alt) return null;
  if (press.ctrl) return press.key.toLowerCase() === 'z' && !press.shift ? UNDO : null;
  if (press.shift) return null;
  const pressing = PRESSING[press.key];
  if (pressing?.do === 'deal') return press.on === 'table' ? pressing : null;
  if (!shortcuts) return null;
  if (pressing) return press.on === 'table' ? pressing : null;
  const letter = press.key.toLowerCase();
  if (own.includes(letter)) return { do: 'own', letter };
  return NAMED[press.key] ?? digit(press.key) ?? LETTERS[letter] ?? null;
}

function digit(key: string): Intent | null {
  return /^[1-9]$/.test(key) ? { do: 'chip', place: Number(key) - 1 } : null;
}

const TEXT =
  'input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]';
const CONTROL = 'button, a[href], summary, input, [role=slider], [tabindex]:not([tabindex="-1"])';

/** The control at an event; null where there is none. */
export function controlAt(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest(CONTROL) : null;
}

/**
 * Convert a keyboard event to a press; `null` within a dialog, or while one is open. A control focused by the
 * pointer (`pointed`) doesn't keep the table's keys, so SPACE works right after placing a chip.
 */
export function pressOf(event: KeyboardEvent, pointed: Element | null = null): Press | null {
  const target = event.target instanceof Element ? event.target : null;
  if (event.defaultPrevented || target?.closest('dialog, [popover]')) return null;
  if (document.querySelector('dialog:modal')) return null;
  return {
    key: event.key,
    ctrl: event.ctrlKey || event.metaKey,
    shift: event.shiftKey,
    alt: event.altKey,
    repeat: event.repeat,
    on: target?.closest(TEXT) ? 'text' : focusOf(controlAt(target), pointed),
  };
}

const focusOf = (control: Element | null, pointed: Element | null) =>
  control && control !== pointed ? 'control' : 'table';
