import { concat, durationMs, rms } from '../audio/samples.ts'
import type { Model } from './model.ts'
import { type Engine, type EngineStream, type RecognitionResult, SAMPLE_RATE } from './port.ts'
import { loadSherpa, type OfflineRecognizer, toFloats } from './sherpa-module.ts'

/** Whisper accepts at most 30 s at once. */
const PHRASE_MAX_MS = 28_000
/** A pause of this length ends a phrase. */
const PAUSE_MS = 700
/** Anything shorter is not a word. */
const SPEECH_MIN_MS = 200
/** -45 dBFS. */
const SPEECH = 184

/** Whisper through sherpa-onnx, phrase by phrase, without partial results. */
export async function openWhisper(model: Extract<Model, { is: 'whisper' }>): Promise<Engine> {
  const { encoder, decoder, tokens, language } = model
  const recognizer = await loadSherpa().OfflineRecognizer.createAsync({
    featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
    modelConfig: {
      whisper: {
        encoder,
        decoder,
        language: language === 'und' ? '' : language.split('-')[0],
        task: 'transcribe',
      },
      tokens,
      numThreads: 1,
      provider: 'cpu',
      debug: 0,
    },
  })
  return {
    name: 'sherpa-onnx-whisper',
    language,
    stream: async () => new PhraseStream(recognizer),
    close: async () => {},
  }
}

/** Segments speech at pauses. */
class PhraseStream implements EngineStream {
  readonly #recognizer: OfflineRecognizer
  #phrase: Int16Array[] = []
  #phraseMs = 0
  #speechMs = 0
  #pauseMs = 0

  constructor(recognizer: OfflineRecognizer) {
    this.#recognizer = recognizer
  }

  async accept(samples: Int16Array): Promise<RecognitionResult> {
    const ms = durationMs(samples)
    const isSpeech = rms(samples) >= SPEECH
    this.#pauseMs = isSpeech ? 0 : this.#pauseMs + ms
    if (isSpeech) this.#speechMs += ms
    this.#phrase.push(samples)
    this.#phraseMs += ms
    const isOver = this.#pauseMs >= PAUSE_MS || this.#phraseMs >= PHRASE_MAX_MS
    return { final: isOver ? await this.finish() : null, partial: '' }
  }

  async finish(): Promise<string> {
    const phrase = concat(this.#phrase)
    const isSpoken = this.#speechMs >= SPEECH_MIN_MS
    this.#phrase = []
    this.#phraseMs = this.#speechMs = this.#pauseMs = 0
    if (!isSpoken) return ''
    const stream = this.#recognizer.createStream()
    stream.acceptWaveform({ samples: toFloats(phrase), sampleRate: SAMPLE_RATE })
    const { text } = await this.#recognizer.decodeAsync(stream)
    return text.trim()
  }
}
