import { OFFICE_TYPES } from '@lectern/protocol'
import { describe, expect, it } from 'vitest'
import { contentTypeOf, isAccepted, isShown } from './content-type.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('the type of a file', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n…', 'image/png'],
    ['\xff\xd8\xff\xe0…', 'image/jpeg'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['%PDF-1.7', 'application/pdf'],
    ['a header of something else\n%PDF-1.4', 'application/pdf'],
    ['PK\x03\x04…', 'application/zip'],
    ['\0\0\0\x20ftypisom', 'video/mp4'],
    ['<svg onload="alert(1)">', 'text/plain'],
    ['<!DOCTYPE html><script>', 'text/plain'],
    ['x = 3\n', 'text/plain'],
    ['#!/bin/sh\nrm -rf /', null],
    ['MZ\x90\0\x03', null],
    ['\x7fELF\x02', null],
    ['\xca\xfe\xba\xbe', null],
    ['', null],
  ])('that begins with %j is %s', (head, type) => {
    expect(contentTypeOf(bytes(head))).toBe(type)
  })

  it('is text also if the part that is read ends within a character', () => {
    expect(contentTypeOf(Buffer.from('ж'.repeat(3000)).subarray(0, 4095))).toBe('text/plain')
  })

  it('decides what a purpose accepts, and what browsers show', () => {
    expect(isAccepted('slides', 'application/pdf', false)).toBe(true)
    expect(isAccepted('board_image', 'application/pdf', false)).toBe(false)
    expect(isAccepted('slides', 'image/gif', true)).toBe(false)
    expect(isAccepted('chat_file', 'application/zip', false)).toBe(true)
    expect([true, false].map(isOffice => isAccepted('slides', OFFICE_TYPES.odp, isOffice))).toEqual([
      true,
      false,
    ])
    expect(isAccepted('board_image', OFFICE_TYPES.odp, true)).toBe(false)
    expect(['image/png', 'application/pdf', 'text/plain', 'video/mp4'].map(isShown)).toEqual([
      ...[true, true, false, false],
    ])
  })
})
