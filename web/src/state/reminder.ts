/** Whether a reality check is due. `lastMs`: when the last one was answered, or when play began. */
export function due(minutes: number, nowMs: number, lastMs: number): boolean {
  return minutes > 0 && nowMs - lastMs >= minutes * 60_000;
}
