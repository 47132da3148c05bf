import { consolidatedMp4, consolidatedNative } from './consolidated-native.ts'
import { decodedAudio } from './decoded-audio.ts'
import type { Profile } from './profile.ts'
import { rawTracks } from './raw-tracks.ts'

const profiles: Profile[] = [consolidatedNative, consolidatedMp4, rawTracks, decodedAudio]

/** Defaults to the consolidated recording. Undefined for unknown profiles. */
export const profileNamed = (name: unknown): Profile | undefined =>
  name === undefined ? consolidatedNative : profiles.find(profile => profile.name === name)
