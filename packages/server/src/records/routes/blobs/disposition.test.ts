import { describe, expect, it } from 'vitest'
import { attachment } from './disposition.ts'

describe('the name of a download', () => {
  it.each([
    ['recording.mkv', 'attachment; filename="recording.mkv"'],
    ['tracks/audio/device_7.ogg', 'attachment; filename="device_7.ogg"'],
    ['a b;c=d.txt', 'attachment; filename="a b;c=d.txt"'],
    ['Ärger.mkv', `attachment; filename="_rger.mkv"; filename*=UTF-8''%C3%84rger.mkv`],
    ['👋.ogg', `attachment; filename="_.ogg"; filename*=UTF-8''%F0%9F%91%8B.ogg`],
    ['say "hi".txt', `attachment; filename="say _hi_.txt"; filename*=UTF-8''say%20%22hi%22.txt`],
    ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
    ['a\\b.txt', `attachment; filename="a_b.txt"; filename*=UTF-8''a%5Cb.txt`],
    ["Ä'()*.txt", `attachment; filename="_'()*.txt"; filename*=UTF-8''%C3%84%27%28%29%2A.txt`],
    ['a\r\nX-Evil: 1', `attachment; filename="a__X-Evil: 1"; filename*=UTF-8''a%0D%0AX-Evil%3A%201`],
    ['\ud800.txt', `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
  ])('of %j is %s', (path, header) => {
    expect(attachment(path)).toBe(header)
  })
})
