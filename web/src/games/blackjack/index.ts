import { tables } from '../drawing';
import Dealt from './Dealt.svelte';
import Live from './LiveTable.svelte';
import Own from './OwnTable.svelte';
import Replay from './Replay.svelte';

export const drawing = tables({ Own, Live, Replay, Dealt });
