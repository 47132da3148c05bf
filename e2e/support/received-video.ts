import type { Visitor } from './visitor.ts'

type InstrumentedGlobal = typeof globalThis & { connections: RTCPeerConnection[] }

/** What a page has received so far, of which tracks. Of pages from `joinInstrumented`. */
interface Received {
  /** Bytes by track id, without headers. */
  video: Record<string, number>
  audio: Record<string, number>
}

const receivedBytes = ({ page }: Visitor): Promise<Received> => page.evaluate(readBytes)

/** The ids of the tracks of remote videos that are on the stage. */
export const visibleTracks = ({ page }: Visitor): Promise<string[]> =>
  page
    .locator('[data-tile] video:not([data-mirrored])')
    .evaluateAll(videos =>
      videos.map(
        video => ((video as HTMLVideoElement).srcObject as MediaStream | null)?.getTracks()[0]?.id ?? '',
      ),
    )

/** Which tracks grow within the given time, and by how many bytes in all. */
export async function measureReceived(visitor: Visitor, ms: number) {
  const before = await receivedBytes(visitor)
  await visitor.page.waitForTimeout(ms)
  const after = await receivedBytes(visitor)
  const growing = (kind: keyof Received) =>
    Object.keys(after[kind]).filter(id => (after[kind][id] ?? 0) > (before[kind][id] ?? 0))
  const bytes = (all: Record<string, number>) => Object.values(all).reduce((sum, each) => sum + each, 0)
  return {
    video: growing('video').sort(),
    audio: growing('audio').sort(),
    videoBytes: bytes(after.video) - bytes(before.video),
  }
}

/** Runs in the page. */
async function readBytes(): Promise<Received> {
  const received: Received = { video: {}, audio: {} }
  for (const connection of (globalThis as InstrumentedGlobal).connections) {
    if (connection.connectionState === 'closed') continue
    for (const [, entry] of await connection.getStats())
      if (entry.type === 'inbound-rtp')
        received[entry.kind as keyof Received][entry.trackIdentifier] = entry.bytesReceived
  }
  return received
}
