import { describe, expect, it } from 'vitest'
import { parseFrameMessage, parseHostMessage } from './messages.ts'

const NOISE = [null, undefined, 7, 'text', [], {}, { lectern: 1 }, { lectern: 2, type: 'connect' }, () => {}]

describe('messages to the frame', () => {
  it('are accepted in their exact shape, without other fields', () => {
    expect(parseHostMessage({ lectern: 1, type: 'connect', more: 1 })).toEqual({
      lectern: 1,
      type: 'connect',
    })
    for (const command of [
      { name: 'set_microphone', on: true },
      { name: 'set_camera', on: false },
      { name: 'leave' },
      { name: 'set_theme', theme: 'dark' },
      { name: 'set_language', language: 'ru' },
      { name: 'open_chat' },
    ]) {
      const message = { lectern: 1, type: 'command', id: 1, command }
      expect(parseHostMessage({ ...message, command: { ...command, more: {} } })).toEqual(message)
    }
  })

  it('are dropped in any other shape', () => {
    const command = { name: 'leave' }
    for (const message of [
      ...NOISE,
      { lectern: 1, type: 'command', command },
      { lectern: 1, type: 'command', id: 0, command },
      { lectern: 1, type: 'command', id: 1.5, command },
      { lectern: 1, type: 'command', id: '1', command },
      { lectern: 1, type: 'command', id: 1, command: 'leave' },
      ...[
        {},
        { name: 'constructor' },
        { name: 'set_microphone' },
        { name: 'set_microphone', on: 'true' },
        { name: 'set_theme', theme: 'pink' },
        { name: 'set_language', language: 7 },
        { name: 'set_language', language: 'x'.repeat(65) },
        { name: 'unmute' },
      ].map(wrong => ({ lectern: 1, type: 'command', id: 1, command: wrong })),
    ])
      expect(parseHostMessage(message)).toBeNull()
  })
})

describe('messages of the frame', () => {
  it('are accepted in their exact shape, without other fields (EMBED-4, EMBED-6)', () => {
    expect(parseFrameMessage({ lectern: 1, type: 'ready', more: 1 })).toEqual({ lectern: 1, type: 'ready' })
    for (const error of [null, 'declined'])
      expect(parseFrameMessage({ lectern: 1, type: 'result', id: 3, error, more: 1 })).toEqual({
        lectern: 1,
        type: 'result',
        id: 3,
        error,
      })
    for (const event of [
      { name: 'joined', participants: 2, recording: true, microphone: true, camera: false },
      { name: 'participants', participants: 3 },
      { name: 'recording', recording: false },
      { name: 'devices', microphone: false, camera: false },
      { name: 'left', reason: 'left' },
      { name: 'ended', reason: 'closed' },
      { name: 'error', code: 'link_rotated' },
    ])
      expect(parseFrameMessage({ lectern: 1, type: 'event', event: { ...event, more: 1 } })).toEqual({
        lectern: 1,
        type: 'event',
        event,
      })
  })

  it('are dropped in any other shape', () => {
    for (const message of [
      ...NOISE,
      { lectern: 1, type: 'result', id: 1 },
      { lectern: 1, type: 'result', id: 1, error: 'another' },
      { lectern: 1, type: 'result', id: -1, error: null },
      ...[
        null,
        { name: 'joined', participants: 2 },
        { name: 'participants', participants: -1 },
        { name: 'participants', participants: 1e300 },
        { name: 'left' },
        { name: 'left', reason: {} },
        { name: 'error', code: 'x'.repeat(65) },
        { name: 'toString' },
      ].map(event => ({ lectern: 1, type: 'event', event })),
    ])
      expect(parseFrameMessage(message)).toBeNull()
  })
})
