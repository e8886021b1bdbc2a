import type { Role } from './wire';

export const OFFICE = ['results', 'liabilities', 'payments', 'log'] as const;
export type OfficePage = (typeof OFFICE)[number];
export const isOffice = (page: string): page is OfficePage => (OFFICE as readonly string[]).includes(page);

/** The pages in the bar, each with its path below `/staff` and its label. */
export const NAVIGATION: Readonly<Record<Role, readonly (readonly [path: string, label: string])[]>> = {
  dealer: [['', 'Tables']],
  manager: [
    ['', 'Tables'],
    ['players', 'Players'],
    ['approvals', 'Approvals'],
    ['results', 'Results'],
    ['liabilities', 'Liabilities'],
    ['payments', 'Payments'],
    ['bonuses', 'Bonuses'],
    ['log', 'Event log'],
  ],
};
