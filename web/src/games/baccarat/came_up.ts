import type { BaccaratView } from './wire';
import type { Winner } from '../../kits/roads/roads';

const WON = { player: 'first', banker: 'second', tie: 'tie' } as const;
const OUTCOME = { player: 'Player wins', banker: 'Banker wins', tie: 'Tie' } as const;

const PAIRS = [
  ['player_pair', 'Player pair'],
  ['banker_pair', 'Banker pair'],
] as const;

export const winnerIn = ({ winner }: BaccaratView): Winner | null => (winner ? WON[winner] : null);

/** `Player wins`, `Banker wins with a natural`, `Tie, Player pair`. */
export function outcome(view: BaccaratView): string {
  const { winner, player, banker } = view;
  if (!winner) return '';
  const { natural } = winner === 'banker' ? banker : player;
  return [OUTCOME[winner] + (natural ? ' with a natural' : ''), ...pairs(view)].join(', ');
}

/** `Player 7, Banker 5: Player wins. Banker pair.` */
export function cameUp(view: BaccaratView): string {
  const hands = [
    { title: 'Player', ...view.player },
    { title: 'Banker', ...view.banker },
  ].filter(({ totals }) => totals.length);
  const points = hands.map(
    ({ title, totals, natural }) => `${title} ${natural ? 'natural ' : ''}${totals.at(-1)}`,
  );
  const text = [points.join(', '), view.winner && OUTCOME[view.winner]].filter(Boolean).join(': ');
  return [text, ...pairs(view)].filter(Boolean).join('. ') + (text && '.');
}

/** The pairs that came up, where the table pays them. */
function pairs({ won }: BaccaratView): string[] {
  return PAIRS.filter(([bet]) => won.includes(bet)).map(([, title]) => title);
}
