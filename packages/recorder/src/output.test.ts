import { RECORDING_FILES_MAX } from '@lectern/protocol'
import { expect, it } from 'vitest'
import { summaryOf } from './output.ts'

/** The limit that servers announce (`max_frame_bytes`). */
const FRAME_BYTES = 262_144

it('the result of a recording fits into a frame, however many tracks and files it has', () => {
  const track = { device_id: 2 ** 32, source: 'screen_audio', codec: 'video/H264', lost: 1e9, gap_count: 1e9 }
  const report = {
    ...{ format: 'lectern.recording.report.1', versions: {}, attempts: [], troubles: [], people: [] },
    tracks: Array.from({ length: 20_000 }, () => track),
  } as unknown as Parameters<typeof summaryOf>[0]
  const artifact = summaryOf(report)
  expect(artifact.track_count).toBe(20_000)
  const result = {
    output_dir: 'x'.repeat(1024),
    blob_ids: Array.from({ length: RECORDING_FILES_MAX }, () => `b_${'0'.repeat(32)}`),
    artifact,
  }
  expect(JSON.stringify(result).length).toBeLessThan(FRAME_BYTES - 4096)
})
