import type { JurisdictionProfile } from '../wire';

/** Whether advice is allowed at an own table in this currency. */
export const mayLearn = (profile: JurisdictionProfile, playMoney: boolean): boolean =>
  profile.advice === 'own_tables' || (profile.advice === 'play_money' && playMoney);
