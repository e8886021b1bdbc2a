import type { JurisdictionProfile } from '../wire';

/** Whether a player may be advised at an own table in this currency. */
export const mayLearn = (profile: JurisdictionProfile, playMoney: boolean): boolean =>
  profile.advice === 'own_tables' || (profile.advice === 'play_money' && playMoney);
