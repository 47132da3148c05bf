import { parentPort, workerData } from 'node:worker_threads'
import type { Model } from './model.ts'
import { type RecognitionResult, SAMPLE_RATE } from './port.ts'
import { loadSherpa, type OnlineRecognizer, type OnlineStream, toFloats } from './sherpa-module.ts'
import type { EngineRequest, Opened } from './transducer.ts'

/** Answers one request after another. The first message reports whether the model loaded. */

const model = workerData as Extract<Model, { is: 'transducer' }>
const streams = new Map<number, OnlineStream>()

const reply = (message: Opened | RecognitionResult) => parentPort?.postMessage(message)

try {
  const recognizer = open()
  parentPort?.on('message', (request: EngineRequest) => reply(handleRequest(recognizer, request)))
  reply({ isOpen: true })
} catch (error) {
  reply({ isOpen: false, reason: (error as Error).message })
}

function open(): OnlineRecognizer {
  const { OnlineRecognizer } = loadSherpa()
  const { encoder, decoder, joiner, tokens } = model
  return new OnlineRecognizer({
    featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
    modelConfig: {
      transducer: { encoder, decoder, joiner },
      tokens,
      numThreads: 1,
      provider: 'cpu',
      debug: 0,
    },
    decodingMethod: 'greedy_search',
    enableEndpoint: 1,
    rule1MinTrailingSilence: 2,
    rule2MinTrailingSilence: 0.6,
    rule3MinUtteranceLength: 20,
  })
}

function handleRequest(
  recognizer: OnlineRecognizer,
  { stream: id, samples }: EngineRequest,
): RecognitionResult {
  const stream = streams.get(id) ?? recognizer.createStream()
  streams.set(id, stream)
  if (samples) stream.acceptWaveform({ samples: toFloats(samples), sampleRate: SAMPLE_RATE })
  else stream.inputFinished()
  while (recognizer.isReady(stream)) recognizer.decode(stream)
  const text = recognizer.getResult(stream).text.trim()
  if (!samples) streams.delete(id)
  else if (!recognizer.isEndpoint(stream)) return { final: null, partial: text }
  else recognizer.reset(stream)
  return { final: text, partial: '' }
}
