import { join } from 'node:path'
import { chromium } from 'playwright-core'

/** Drawn people, for pictures of a class. */

interface Person {
  wall: [string, string]
  skin: string
  hair: string
  shirt: string
  style: 'short' | 'long' | 'bun' | 'scarf' | 'curly'
  glasses?: boolean
}

const PEOPLE: Person[] = [
  { wall: ['#dfe9e4', '#b9d0c6'], skin: '#f1c9a5', hair: '#5a3a22', shirt: '#2f6f62', style: 'long' },
  { wall: ['#f3e6d3', '#e0c9a6'], skin: '#8d5a3b', hair: '#1d1512', shirt: '#d98f3e', style: 'curly' },
  {
    wall: ['#dde6f2', '#b4c6df'],
    skin: '#e8b98f',
    hair: '#2a1d16',
    shirt: '#4464a8',
    style: 'short',
    glasses: true,
  },
  { wall: ['#efe1ea', '#d7bccd'], skin: '#d9a074', hair: '#7d3f6e', shirt: '#7d3f6e', style: 'scarf' },
  { wall: ['#e9ecd9', '#c9d0a5'], skin: '#f4d3b5', hair: '#c98a3b', shirt: '#6d7f3a', style: 'bun' },
  { wall: ['#e6e2f0', '#c4bcdc'], skin: '#a86f47', hair: '#241a14', shirt: '#5b4a8a', style: 'short' },
  {
    wall: ['#f6ded8', '#e2b3a7'],
    skin: '#f0c39b',
    hair: '#9c4a23',
    shirt: '#b5493b',
    style: 'long',
    glasses: true,
  },
  { wall: ['#d9eaee', '#a9cbd4'], skin: '#c98c5f', hair: '#14110f', shirt: '#2a7f93', style: 'bun' },
  {
    wall: ['#ece7dd', '#cfc4b0'],
    skin: '#f2cdae',
    hair: '#3b3b3f',
    shirt: '#3d4a52',
    style: 'short',
    glasses: true,
  },
]

const SIZE = { width: 640, height: 360 }

/** An SVG of the person with that number. */
function drawPortrait(index: number): string {
  const { wall, skin, hair, shirt, style, glasses } = PEOPLE[index % PEOPLE.length] as Person
  const behind = {
    short: '',
    curly: `<circle cx="262" cy="120" r="40" fill="${hair}"/><circle cx="378" cy="120" r="40" fill="${hair}"/>`,
    long: `<path d="M240 160 Q236 60 320 56 Q404 60 400 160 L410 270 Q320 300 230 270 Z" fill="${hair}"/>`,
    bun: `<circle cx="320" cy="52" r="30" fill="${hair}"/>`,
    scarf: `<path d="M226 190 Q218 48 320 46 Q422 48 414 190 Q420 270 440 300 L200 300 Q220 270 226 190 Z" fill="${hair}"/>`,
  }[style]
  const fringe =
    style === 'scarf'
      ? `<path d="M246 150 Q250 72 320 70 Q390 72 394 150 Q370 96 320 94 Q270 96 246 150 Z" fill="${hair}"/>`
      : `<path d="M246 150 Q240 66 320 62 Q400 66 394 150 Q388 112 352 104 Q300 112 262 110 Q248 124 246 150 Z" fill="${hair}"/>`
  const frames = glasses
    ? '<g fill="none" stroke="#26302f" stroke-width="4"><circle cx="292" cy="158" r="19"/><circle cx="348" cy="158" r="19"/><path d="M311 156 h18"/></g>'
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" viewBox="0 0 640 360">
<defs><linearGradient id="wall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${wall[0]}"/><stop offset="1" stop-color="${wall[1]}"/></linearGradient></defs>
<rect width="640" height="360" fill="url(#wall)"/>
<g fill="#fff" opacity="0.35"><rect x="${60 + index * 9}" y="36" width="92" height="120" rx="6"/><rect x="${470 - index * 6}" y="60" width="120" height="14" rx="4"/><rect x="${486 - index * 6}" y="30" width="16" height="30"/><rect x="${512 - index * 6}" y="22" width="20" height="38"/></g>
${behind}
<path d="M150 360 Q160 262 270 248 L370 248 Q480 262 490 360 Z" fill="${shirt}"/>
<path d="M290 214 h60 v42 q-30 24 -60 0 Z" fill="${skin}"/><path d="M290 222 q30 26 60 0 v10 q-30 24 -60 0 Z" fill="#000" opacity="0.12"/>
<ellipse cx="320" cy="158" rx="72" ry="86" fill="${skin}"/>
${fringe}
<g fill="#2b211c"><circle cx="292" cy="158" r="6"/><circle cx="348" cy="158" r="6"/></g>
<g fill="none" stroke="#2b211c" stroke-width="4" stroke-linecap="round" opacity="0.75"><path d="M280 138 q12 -8 24 -2"/><path d="M336 136 q12 -6 24 2"/><path d="M292 196 q28 24 56 0"/></g>
<path d="M318 164 q-6 16 2 18" fill="none" stroke="#000" stroke-opacity="0.2" stroke-width="4" stroke-linecap="round"/>
${frames}
</svg>`
}

/** Writes a PNG file of each person. */
export async function renderPortraits(folder: string): Promise<string[]> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: SIZE })
    const files = PEOPLE.map((_, index) => join(folder, `${index}.png`))
    for (const [index, path] of files.entries()) {
      await page.setContent(`<body style="margin:0">${drawPortrait(index)}`)
      await page.screenshot({ path })
    }
    return files
  } finally {
    await browser.close()
  }
}
