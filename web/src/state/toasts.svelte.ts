/** Short messages that come and go; shown by `ui/Toasts.svelte`. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'bad';
}

const SHOWN_MS = 5_000;

class Toasts {
  all = $state.raw<readonly Toast[]>([]);
  #last = 0;

  say(text: string, tone: Toast['tone'] = 'plain'): void {
    const id = ++this.#last;
    this.all = [...this.all.filter((toast) => toast.text !== text), { id, text, tone }];
    setTimeout(() => this.drop(id), SHOWN_MS);
  }

  drop(id: number): void {
    this.all = this.all.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();
