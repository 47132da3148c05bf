const NOTES_HZ = [523.25, 659.25, 783.99] // C, E, G
const NOTE_S = 0.28

/** Whether this browser lets a page choose the speaker. */
export const canChooseSpeaker = () => 'setSinkId' in HTMLMediaElement.prototype

/** Plays three rising notes on the speaker with this id. They are synthesised: no file is loaded. */
export async function playTestSound(speakerId: string): Promise<void> {
  const context = new AudioContext()
  try {
    const sink = context.createMediaStreamDestination()
    const player = new Audio()
    player.srcObject = sink.stream
    if (speakerId && canChooseSpeaker()) await player.setSinkId(speakerId)
    await player.play()
    await chime(context, sink)
    player.pause()
  } finally {
    await context.close()
  }
}

function chime(context: AudioContext, sink: AudioNode): Promise<void> {
  const start = context.currentTime + 0.1
  const notes = NOTES_HZ.map((frequency, index) => {
    const at = start + index * NOTE_S
    const note = new OscillatorNode(context, { frequency })
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0, at)
    volume.gain.linearRampToValueAtTime(0.25, at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.001, at + NOTE_S * 2)
    note.connect(volume).connect(sink)
    note.start(at)
    note.stop(at + NOTE_S * 2)
    return note
  })
  return new Promise(resolve => notes.at(-1)?.addEventListener('ended', () => resolve()))
}
