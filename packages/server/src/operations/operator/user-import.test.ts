import { expect, it } from 'vitest'
import { parsePeople } from './user-import.ts'

const people = (text: string) => parsePeople(text).people.map(({ login, name }) => [login, name])

it.each([
  ['empty columns behind the last one', 'login;name;;\r\nanna;Anna;;\r\nben;;;\r\n;;;\r\n'],
  ['ends of lines of old Macintosh programs', 'login,name\ranna,Anna\rben,\r'],
  ['tabs', 'login\tname\nanna\tAnna\nben'],
])('a file of people may have %s', (_, text) => {
  expect(parsePeople(text).faults).toEqual([])
  expect(people(text)).toEqual([
    ['anna', 'Anna'],
    ['ben', 'ben'],
  ])
})

it('faults are of the line of the file, whatever ends lines', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['login,name', '"anna","Anna', 'Petrova"', '', 'a b,Ben', 'carla,Carla,x'].join(end)
    expect(parsePeople(text).faults.map(({ line }) => line)).toEqual([5, 6])
  }
})
