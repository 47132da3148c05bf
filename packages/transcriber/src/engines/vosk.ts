import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Model } from './model.ts'
import {
  type Engine,
  type EngineStream,
  EngineUnavailable,
  type RecognitionResult,
  SAMPLE_RATE,
} from './port.ts'

/** Path of the library in the npm package, by platform. */
const libraries: Record<string, string> = {
  'linux-x64': 'linux-x86_64/libvosk.so',
  'darwin-x64': 'osx-universal/libvosk.dylib',
  'darwin-arm64': 'osx-universal/libvosk.dylib',
}

type Koffi = typeof import('koffi')
type Pointer = unknown
type Call<A extends unknown[], R> = (...args: A) => Promise<R>

/** Vosk's C functions, called asynchronously on worker threads. */
interface Vosk {
  openModel: Call<[string], Pointer | null>
  freeModel: Call<[Pointer], void>
  open: Call<[Pointer, number], Pointer | null>
  accept: Call<[Pointer, Int16Array, number], number>
  result: Call<[Pointer], string>
  partial: Call<[Pointer], string>
  final: Call<[Pointer], string>
  free: Call<[Pointer], void>
  /** Returns what was freed to the system. */
  trim: () => Promise<unknown>
}

export async function openVosk({ folder, language }: Model): Promise<Engine> {
  const vosk = await load()
  const model = await vosk.openModel(folder)
  if (model === null) throw new EngineUnavailable(`Vosk cannot read the model in ${folder}.`)
  return {
    name: 'vosk',
    language,
    stream: () => openStream(vosk, model),
    close: () => vosk.freeModel(model),
  }
}

async function load(): Promise<Vosk> {
  const koffi = await import('koffi').catch(() => {
    throw new EngineUnavailable('The optional npm package koffi is not installed.')
  })
  const library = koffi.load(libraryFile())
  library.func('void vosk_set_log_level(int)')(-1)
  const declare = <A extends unknown[], R>(declaration: string) =>
    promisify(library.func(declaration).async) as Call<A, R>
  return {
    openModel: declare('void *vosk_model_new(const char *)'),
    freeModel: declare('void vosk_model_free(void *)'),
    open: declare('void *vosk_recognizer_new(void *, float)'),
    accept: declare('int vosk_recognizer_accept_waveform(void *, const void *, int)'),
    result: declare('const char *vosk_recognizer_result(void *)'),
    partial: declare('const char *vosk_recognizer_partial_result(void *)'),
    final: declare('const char *vosk_recognizer_final_result(void *)'),
    free: declare('void vosk_recognizer_free(void *)'),
    trim: trimOf(koffi),
  }
}

/**
 * glibc keeps what recognizers have freed, 20 to 30 MB each, and gives it to the thread that freed it only (decision 84).
 * Other C libraries have no such function, and other habits.
 */
function trimOf(koffi: Koffi): Vosk['trim'] {
  try {
    const trim = promisify(koffi.load('libc.so.6').func('int malloc_trim(size_t)').async)
    return () => trim(0)
  } catch {
    return async () => {}
  }
}

function libraryFile(): string {
  const system = `${process.platform}-${process.arch}`
  const file = libraries[system]
  if (!file) throw new EngineUnavailable(`Vosk is not available for ${system}.`)
  try {
    const path = join(dirname(createRequire(import.meta.url).resolve('vosk/package.json')), 'lib', file)
    if (existsSync(path)) return path
  } catch {
    // Treated as if it were not installed.
  }
  throw new EngineUnavailable('The optional npm package vosk is not installed.')
}

async function openStream(vosk: Vosk, model: Pointer): Promise<EngineStream> {
  const recognizer = await vosk.open(model, SAMPLE_RATE)
  if (recognizer === null) throw new Error('Vosk has no recognizer for the model')
  return {
    async accept(samples): Promise<RecognitionResult> {
      const isWhole = await vosk.accept(recognizer, samples, samples.byteLength)
      if (isWhole) return { final: read(await vosk.result(recognizer)).text ?? '', partial: '' }
      return { final: null, partial: read(await vosk.partial(recognizer)).partial ?? '' }
    },
    async finish() {
      const { text = '' } = read(await vosk.final(recognizer))
      await vosk.free(recognizer)
      await vosk.trim()
      return text
    },
  }
}

const read = (json: string) => JSON.parse(json) as { text?: string; partial?: string }
