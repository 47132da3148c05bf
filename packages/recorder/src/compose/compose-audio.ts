import { join } from 'node:path'
import { SAMPLE_RATE, SILENCE, SILENCE_SAMPLES } from '../frames/opus.ts'
import type { AudioTrack, PlacedAudio } from '../tracks/audio-track.ts'
import type { FfmpegStep } from './command.ts'
import { CHANNELS, OpusFile } from './ogg.ts'

/** Encoders and decoders start early by this much, so that chunk boundaries are inaudible. */
const LEAD_IN_SAMPLES = SAMPLE_RATE
const DECODER_LEAD_IN_SAMPLES = SAMPLE_RATE / 5

/** ffmpeg's own decoder: libopus needs 2.5 times as long. */
const DECODER = ['-c:a', 'opus']

/** Packets of the lead-in, 20 ms each. */
export const LEAD_IN_PACKETS = 50

/** The first sample needed to compose from `start`. */
export const audioNeededFrom = (start: number) => start - LEAD_IN_SAMPLES - DECODER_LEAD_IN_SAMPLES

/** Writes the input files for mixing these samples and returns the ffmpeg step. */
export async function prepareMix(
  folder: string,
  name: string,
  start: number,
  samples: number,
  tracks: AudioTrack[],
): Promise<FfmpegStep> {
  const mixStart = start - LEAD_IN_SAMPLES
  const length = samples + LEAD_IN_SAMPLES
  const inputs: string[][] = []
  const shifts: string[] = []
  for (const track of tracks) {
    const packets = packetsFor(track, audioNeededFrom(start), start + samples)
    const [first] = packets
    if (!first) continue
    const file = `${name}-${inputs.length}.ogg`
    // ffmpeg fails at a file of which it can decode nothing, however the other tracks are.
    const decodable = silenceBefore(first)
    await writeOgg(join(folder, file), [decodable, ...packets])
    inputs.push(['-thread_queue_size', '0', ...DECODER, '-f', 'ogg', '-i', file])
    const late = decodable.start - mixStart
    const shift = late >= 0 ? `adelay=delays=${late}S:all=1` : `atrim=start_sample=${-late},asetpts=N/SR/TB`
    shifts.push(`${shift},aformat=sample_fmts=fltp:channel_layouts=stereo`)
  }
  const labels = shifts.map((_, index) => `[a${index}]`).join('')
  const mix = labels
    ? `${labels}amix=inputs=${inputs.length}:normalize=0:duration=longest`
    : `anullsrc=r=${SAMPLE_RATE}:cl=stereo`
  return {
    inputs,
    filter: first =>
      [
        ...shifts.map((shift, index) => `[${first + index}:a]${shift}[a${index}]`),
        `${mix},apad=whole_len=${length},atrim=end_sample=${length}[mix]`,
      ].join(';'),
    output: [
      ...['-map', '[mix]', '-ac', String(CHANNELS), '-c:a', 'libopus', '-b:a', '64k'],
      ...['-compression_level', '4', '-frame_duration', '20', '-f', 'matroska', `${name}.mka`],
    ],
  }
}

const packetsFor = ({ packets }: AudioTrack, from: number, to: number): PlacedAudio[] =>
  packets.filter(packet => packet.start + packet.samples > from && packet.start < to)

const silenceBefore = ({ start }: PlacedAudio): PlacedAudio => ({
  data: SILENCE,
  start: start - SILENCE_SAMPLES,
  samples: SILENCE_SAMPLES,
})

async function writeOgg(file: string, packets: PlacedAudio[]) {
  const ogg = new OpusFile(file)
  await ogg.open()
  for (const packet of packets) await ogg.add(packet)
  await ogg.close()
}
