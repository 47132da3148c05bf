// A program: some people speak at the same time to a recogniser, again and again, and leave. Prints the resident memory
// before, while they speak, and when all have left. Arguments: people, rounds, a file of samples (16 kHz, 16 bits).
import { readFileSync } from 'node:fs'
import { openEngine } from '../../packages/transcriber/src/recognition.ts'

const [people, rounds, file = ''] = process.argv.slice(2)
const CHUNK_SAMPLES = 3_200

const bytes = readFileSync(file)
const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
const engine = await openEngine(null)

async function speak() {
  const stream = await engine.stream()
  for (let at = 0; at < samples.length; at += CHUNK_SAMPLES)
    await stream.accept(samples.subarray(at, at + CHUNK_SAMPLES))
  return stream
}

const rss = () => process.memoryUsage.rss()
const before = rss()
let speaking = 0
for (let round = 0; round < Number(rounds); round++) {
  const streams = await Promise.all(Array.from({ length: Number(people) }, speak))
  speaking = Math.max(speaking, rss())
  await Promise.all(streams.map(stream => stream.finish()))
}
console.log(JSON.stringify({ before, speaking, after: rss() }))
