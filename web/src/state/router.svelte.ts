/** A history router for a handful of pages. */
const PAGES = [
  { name: 'lobby', path: /^\/$/ },
  { name: 'table', path: /^\/table\/([^/]+)$/ },
  { name: 'history', path: /^\/history$/ },
  { name: 'round', path: /^\/history\/([^/]+)$/ },
  { name: 'cashier', path: /^\/cashier$/ },
  { name: 'care', path: /^\/care$/ },
  { name: 'settings', path: /^\/settings$/ },
] as const;

export type PageName = (typeof PAGES)[number]['name'] | 'lost';
export interface Place {
  readonly name: PageName;
  /** The table's or round's id; empty elsewhere. */
  readonly id: string;
}

export function place(path: string): Place {
  for (const { name, path: pattern } of PAGES) {
    const found = pattern.exec(path);
    if (found) return { name, id: decodeURIComponent(found[1] ?? '') };
  }
  return { name: 'lost', id: '' };
}

class Router {
  here = $state.raw<Place>({ name: 'lobby', id: '' });

  start(): void {
    addEventListener('popstate', () => this.#arrive(location.pathname));
    document.addEventListener('click', (click) => this.#follow(click));
    this.#arrive(location.pathname);
  }

  go(path: string): void {
    if (path !== location.pathname) history.pushState(null, '', path);
    this.#arrive(path);
    scrollTo(0, 0);
  }

  #arrive(path: string): void {
    const { name, id } = place(path);
    if (name !== this.here.name || id !== this.here.id) this.here = { name, id };
  }

  /** Links stay links (a new tab, a copied address); a plain click stays within the page. */
  #follow(click: MouseEvent): void {
    const link = (click.target as Element).closest('a');
    const plain = click.button === 0 && !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey;
    if (!link || !plain || link.target || link.origin !== location.origin || link.hash) return;
    click.preventDefault();
    this.go(link.pathname);
  }
}

export const router = new Router();
