/** Panels over a table, opened by menu or key. */
export const PANELS = [
  { name: 'settings', label: 'Settings', key: '' },
  { name: 'limits', label: 'Limits and payouts', key: '' },
  { name: 'rules', label: 'Rules', key: 'g' },
  { name: 'history', label: 'History of this table', key: '' },
  { name: 'keys', label: 'Keyboard shortcuts', key: '?' },
] as const;

export type PanelName = (typeof PANELS)[number]['name'];

/** `l` for the limits is the table's own key. */
export const PANEL_KEYS: Readonly<Record<string, PanelName>> = Object.fromEntries(
  PANELS.filter(({ key }) => key).map(({ key, name }) => [key, name]),
);
