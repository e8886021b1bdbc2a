/** What becomes of bonuses; not part of the first page. */
import type { PlayerBonus } from '../wire';

const BONUS_ENDS: Readonly<Record<PlayerBonus['status'], string>> = {
  opted_in: 'comes with the first deposit',
  active: 'active',
  converted: 'complete: what was left of it is now in your balance',
  spent: 'used up',
  expired: 'expired',
  withdrawn: 'ended by your withdrawal',
  cancelled: 'cancelled',
};

/** What became of a bonus, after its title and a colon. */
export const bonusStatus = (status: PlayerBonus['status']): string => BONUS_ENDS[status];
