import type { Settings } from '../wire';

/** Choices of the dealer's picture. */
export const QUALITIES: readonly { readonly value: Settings['video_quality']; readonly label: string }[] = [
  { value: 'auto', label: 'Auto' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
  { value: 'audio', label: 'Voice only' },
  { value: 'off', label: 'Off' },
];
