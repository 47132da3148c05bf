import { type EncodedPacket, EncodedPacketSink, FilePathSource, Input, MATROSKA } from 'mediabunny'

/** The packets of the only track of a Matroska file, in the order in which they are decoded. */
export async function* packetsOf(file: string): AsyncGenerator<EncodedPacket> {
  const { input, track } = await openTrack(file)
  try {
    yield* new EncodedPacketSink(track).packets()
  } finally {
    input.dispose()
  }
}

/** What a player needs to know before the first packet. */
export async function videoConfig(file: string): Promise<VideoDecoderConfig> {
  const { input } = await openTrack(file)
  try {
    const config = await (await input.getPrimaryVideoTrack())?.getDecoderConfig()
    if (!config) throw new Error('no configuration in what ffmpeg made')
    return config
  } finally {
    input.dispose()
  }
}

export async function countPackets(file: string): Promise<number> {
  let count = 0
  for await (const _ of packetsOf(file)) count += 1
  return count
}

async function openTrack(file: string) {
  const input = new Input({ source: new FilePathSource(file), formats: [MATROSKA] })
  const [track] = await input.getTracks()
  if (!track) throw new Error('no track in what ffmpeg made')
  return { input, track }
}
