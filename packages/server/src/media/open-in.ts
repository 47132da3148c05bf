/**
 * Resolves with what mediasoup opens in a router or transport. Rejects when that closes meanwhile: mediasoup then returns an
 * object that never closes, and emits no event.
 */
export async function openIn<Opened extends { close(): void }>(
  parent: { closed: boolean },
  opening: Promise<Opened>,
): Promise<Opened> {
  const opened = await opening
  if (!parent.closed) return opened
  opened.close()
  throw new Error('it was closed meanwhile')
}
