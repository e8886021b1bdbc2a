/** Where the pages of a player are: their own, or those of a player at whom staff look. */
export const whose = { api: '/api', rounds: '/history' };
