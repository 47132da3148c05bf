import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { readModel } from './model.ts'

const root = mkdtempSync(join(tmpdir(), 'lectern-models-'))
afterEach(() => rmSync(root, { recursive: true, force: true }))

function folder(name: string, files: Record<string, string>): string {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name, file)), { recursive: true })
    writeFileSync(join(root, name, file), content)
  }
  return join(root, name)
}

const vosk = { 'am/final.mdl': '', 'conf/model.conf': '' }

it.each([
  ['vosk-model-small-de-0.15', 'de'],
  ['vosk-model-en-us-0.22', 'en-US'],
  ['vosk-model-small-pt-0.3', 'pt'],
  ['my-own', 'und'],
])('derives the language of %s from its name', (name, language) => {
  expect(readModel(folder(name, vosk))).toMatchObject({ is: 'vosk', language })
})

it('prefers the language declared in a file', () => {
  expect(readModel(folder('my-own', { ...vosk, language: 'ru-RU\n' }))).toMatchObject({ language: 'ru-RU' })
})

it('distinguishes a streaming transducer from Whisper by its joiner', () => {
  const parts = {
    'encoder-epoch-99.onnx': '',
    'encoder-epoch-99.int8.onnx': '',
    'decoder-epoch-99.onnx': '',
    'tokens.txt': '',
  }
  const transducer = readModel(folder('zipformer', { ...parts, 'joiner-epoch-99.onnx': '' }))
  expect(transducer).toMatchObject({
    is: 'transducer',
    encoder: join(root, 'zipformer/encoder-epoch-99.int8.onnx'),
  })
  const whisper = { 'tiny-encoder.onnx': '', 'tiny-decoder.onnx': '', 'tiny-tokens.txt': '' }
  expect(readModel(folder('whisper', whisper))).toMatchObject({
    is: 'whisper',
    tokens: join(root, 'whisper/tiny-tokens.txt'),
  })
})
