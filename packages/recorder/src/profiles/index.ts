import { consolidatedNative } from './consolidated-native.ts'
import { decodedAudio } from './decoded-audio.ts'
import type { Profile } from './profile.ts'
import { rawTracks } from './raw-tracks.ts'

const profiles: Profile[] = [consolidatedNative, rawTracks, decodedAudio]

/** A job that names none gets the consolidated recording. Undefined: there is no such profile. */
export const profileNamed = (name: unknown): Profile | undefined =>
  name === undefined ? consolidatedNative : profiles.find(profile => profile.name === name)
