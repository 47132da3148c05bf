import type { MeterTrack } from './level.ts'
import { resumeAudio } from './resume-audio.ts'

const SAMPLE_INTERVAL_MS = 66

/** Measures a track with an AnalyserNode, without playing it. */
export const meterTrack: MeterTrack = (track, report) => {
  const context = new AudioContext()
  const analyser = new AnalyserNode(context, { fftSize: 1024 })
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
  resumeAudio(context)
  const samples = new Float32Array(analyser.fftSize)
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    report(loudness(samples))
  }, SAMPLE_INTERVAL_MS)
  return () => {
    clearInterval(timer)
    void context.close()
  }
}

/** Maps -60 dB (silence in a quiet room) to 0 dB to the range 0 to 1. */
export function loudness(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  const decibels = 10 * Math.log10(power)
  return Math.min(1, Math.max(0, 1 + decibels / 60))
}
