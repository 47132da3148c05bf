/** Why the own connection reduces the quality. */
export const network = {
  receivesReduced: 'Your connection is slow: videos are received in lower quality.',
  receivesSome: 'Your connection is slow: some videos are not received.',
  receivesScreen: 'Your connection is slow: only audio and the screen are received.',
  receivesAudio: 'Your connection is slow: only audio is received.',
  sendsReduced: 'Your connection is slow: others see you in lower quality.',
  sendsScreen: 'Your connection is slow: others receive your audio and your screen, but not your camera.',
  losesPackets: 'Your connection loses data: audio and video may stutter.',
  interrupted: 'Audio stopped for a moment.',
}
