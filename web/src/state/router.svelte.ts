/** A history router for a handful of pages. */
const PAGES = [
  { name: 'lobby', path: /^\/$/ },
  { name: 'table', path: /^\/table\/([^/]+)$/ },
  { name: 'history', path: /^\/history(?:\/game\/([^/]+))?$/ },
  { name: 'game_history', path: /^\/history\/games\/([^/]+)$/ },
  { name: 'totals', path: /^\/history\/totals$/ },
  { name: 'round', path: /^\/history\/([^/]+)$/ },
  { name: 'cashier', path: /^\/cashier$/ },
  // Players may have bookmarked the former address, /care.
  { name: 'safer_play', path: /^\/(?:safer-play|care)$/ },
  { name: 'policy', path: /^\/(?:safer-play|care)\/policy$/ },
  { name: 'documents', path: /^\/documents(?:\/([^/]+))?$/ },
  { name: 'settings', path: /^\/settings$/ },
  { name: 'mail_link', path: /^\/(reset-password|verify-address)$/ },
  { name: 'learn', path: /^\/learn$/ },
] as const;

export type PageName = (typeof PAGES)[number]['name'] | 'not_found';
export interface Place {
  readonly name: PageName;
  /** The table's, round's or document's id, in the history the table or the game; empty elsewhere. */
  readonly id: string;
}

/** How a page was reached: by a link or the program, or by the browser's Back, Forward and reload. */
export type By = 'link' | 'history';

export function place(path: string): Place {
  for (const { name, path: pattern } of PAGES) {
    const found = pattern.exec(path);
    if (found) return { name, id: decodeURIComponent(found[1] ?? '') };
  }
  return { name: 'not_found', id: '' };
}

/** Whether a click is a plain navigation; others open a new tab or save. */
export const plain = (click: MouseEvent): boolean =>
  click.button === 0 && !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey;

class Router {
  here = $state.raw<Place>({ name: 'lobby', id: '' });
  #instead: (wanted: Place, by: By) => string | null = () => null;

  /** `instead` is called before each page and may return another address to show. */
  start(instead: (wanted: Place, by: By) => string | null): void {
    this.#instead = instead;
    addEventListener('popstate', () => this.#arrive(location.pathname, 'history'));
    document.addEventListener('click', (click) => this.#follow(click));
    this.#arrive(location.pathname, 'history');
  }

  /** `replace`: the browser's Back doesn't lead to the present address. */
  go(path: string, replace = false): void {
    if (path !== location.pathname) history[replace ? 'replaceState' : 'pushState'](null, '', path);
    this.#arrive(path, 'link');
    scrollTo(0, 0);
  }

  #arrive(path: string, by: By): void {
    const other = this.#instead(place(path), by);
    if (other !== null && other !== path) history.replaceState(history.state, '', other);
    const { name, id } = place(other ?? path);
    if (name !== this.here.name || id !== this.here.id) this.here = { name, id };
  }

  /** Links stay links (a new tab, a copied address); a plain click stays within the page. */
  #follow(click: MouseEvent): void {
    const link = (click.target as Element).closest('a');
    if (
      click.defaultPrevented ||
      !link ||
      !plain(click) ||
      link.target ||
      link.origin !== location.origin ||
      link.hash
    )
      return;
    click.preventDefault();
    this.go(link.pathname);
  }
}

export const router = new Router();
