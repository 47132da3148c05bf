/** A reproducible source of random integers below a bound. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

const WORDS = [
  '',
  '0',
  '-1',
  '99999999999',
  'NaN',
  '__proto__',
  'constructor',
  'x'.repeat(3_000),
  'ü',
  '\0',
  ' ',
  '*',
  ':',
  ';=',
  '~',
]
const LINES = [
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'm=',
  'a=mid:0',
  'a=rid:a send',
  'a=simulcast:send a;b,~c',
  'a=ssrc-group:SIM 1 2 3',
  'a=ssrc:0',
  'a=fmtp:96 apt=96',
  'a=rtcp-fb:* nack',
  'a=extmap:0 x',
  'a=extmap:1/sendonly urn:ietf:params:rtp-hdrext:encrypt x',
  'a=fingerprint:md5 00',
  'a=setup:holdconn',
  'a=group:BUNDLE',
  'a=inactive',
]

/** A description with up to ten changes: words, lines, order, cuts. */
export function mutate(text: string, random: (below: number) => number): string {
  let lines = text.split('\r\n')
  for (let changes = 1 + random(10); changes > 0; changes--) {
    const at = random(lines.length)
    const line = lines[at] ?? ''
    const words = line.split(/(?<=[ :=;/])/)
    const change = random(7)
    if (change === 0) lines.splice(at, 1)
    else if (change === 1) lines.splice(at, 0, LINES[random(LINES.length)] ?? '')
    else if (change === 2) lines.splice(at, 0, ...lines.slice(at, at + random(30)))
    else if (change === 3) words[random(words.length)] = WORDS[random(WORDS.length)] ?? ''
    else if (change === 4) lines[at] = line.slice(0, random(line.length + 1))
    else if (change === 5) lines = lines.slice(0, at + 1)
    else lines[at] = line.replace(/\d+/, () => String(random(300)))
    if (change === 3) lines[at] = words.join('')
  }
  return lines.join('\r\n')
}
