import { readFile, writeFile } from 'node:fs/promises'
import { EncodedPacketSink, FilePathSource, Input, MATROSKA } from 'mediabunny'

/** A packet of a chunk; its time follows from its position. */
export interface StoredPacket {
  data: Uint8Array
  isKey: boolean
}

const HEAD = 5 // key flag, length

/** The packets of a single-track Matroska file, in decoding order, and their times. */
export async function packetsOf(file: string): Promise<(StoredPacket & { seconds: number })[]> {
  const input = new Input({ source: new FilePathSource(file), formats: [MATROSKA] })
  try {
    const [track] = await input.getTracks()
    if (!track) throw new Error('ffmpeg output has no track')
    const packets: (StoredPacket & { seconds: number })[] = []
    for await (const { data, type, timestamp } of new EncodedPacketSink(track).packets())
      packets.push({ data, isKey: type === 'key', seconds: timestamp })
    return packets
  } finally {
    input.dispose()
  }
}

/** A flat format, because demuxing containers would dominate the time to finish a long call. */
export async function storePackets(file: string, packets: StoredPacket[]) {
  const parts = packets.flatMap(({ data, isKey }) => {
    const head = Buffer.alloc(HEAD)
    head.writeUInt8(isKey ? 1 : 0, 0)
    head.writeUInt32BE(data.length, 1)
    return [head, data]
  })
  await writeFile(file, Buffer.concat(parts))
}

export async function readPackets(file: string): Promise<StoredPacket[]> {
  const bytes = await readFile(file)
  const packets: StoredPacket[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + HEAD + bytes.readUInt32BE(at + 1)
    packets.push({ data: bytes.subarray(at + HEAD, end), isKey: bytes[at] === 1 })
    at = end
  }
  return packets
}
