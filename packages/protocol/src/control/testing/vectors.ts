import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The conformance vectors; vectors/README.md describes them. */
export interface VectorFile {
  title: string
  reader: 'control_v2' | 'login' | 'v1_request' | 'command_body' | 'signal_body' | 'shape'
  schema: string
  max_frame_bytes: number
  cases: VectorCase[]
}

export type VectorCase = { name: string; max_frame_bytes?: number; beyond_shape?: boolean } & (
  | { frame: string }
  | { frame_hex: string }
) &
  ({ valid: true } | { valid?: never; code: string; close?: boolean })

const folder = new URL('../../../vectors/', import.meta.url)

export const vectorsScript = fileURLToPath(new URL('../scripts/vectors.mjs', folder))

export const vectorFiles: [string, VectorFile][] = readdirSync(folder)
  .filter(name => name.endsWith('.json'))
  .map(name => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as VectorFile])

export const inputOf = (vector: VectorCase): string | Uint8Array =>
  'frame' in vector ? vector.frame : Uint8Array.from(Buffer.from(vector.frame_hex, 'hex'))
