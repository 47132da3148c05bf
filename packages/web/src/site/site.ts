import type { OwnedServiceAccount } from '@lectern/protocol'
import type { ComponentType } from 'react'
import type { SignedIn } from '../account-connection/signed-in.ts'
import type { HomeAddress } from '../address.ts'
import type { Api } from '../api/api.ts'
import type { RingSetting } from '../calls/ring-setting.ts'
import type { SilencedCall } from '../calls/silenced-call.ts'
import type { StartedCalls } from '../calls/started-calls.ts'
import type { Devices } from '../devices/devices.ts'
import type { Account } from '../identity/account.ts'
import type { ModuleLoader } from '../module-loader.ts'
import type { Language } from '../preferences/language.ts'
import type { Theme } from '../preferences/theme.ts'
import type { RejoinState } from '../rejoin-state.ts'
import type { RoomParts } from '../room/parts.ts'
import type { SingleSignOn } from '../sso/single-sign-on.ts'
import type { CurrentRoom } from './current-room.ts'

/** The content of the pages of owners of technical users. */
export interface IntegrationPagesProps {
  /** The name of a service account, a section, and ids of things in it. */
  parts: readonly string[]
  accounts: readonly OwnedServiceAccount[]
  /** The user may not be an owner any more. */
  onLost: () => void
}

/** Shared by all pages. */
export interface Site {
  account: Account
  sso: SingleSignOn
  /** The connection of the account. */
  signedIn: SignedIn
  /** The code of the pages of a signed-in user. */
  home: ModuleLoader<{ HomePages: ComponentType<{ address: HomeAddress }> }>
  /** The code of the page of an invitation. */
  invite: ModuleLoader<{ InvitePage: ComponentType<{ token: string }> }>
  /** The code of what buttons of the room open. */
  roomParts: ModuleLoader<RoomParts>
  /** The code of the settings of the prejoin screen. */
  prejoinSettings: ModuleLoader<
    Record<'BackgroundDialog' | 'SettingsDialog', ComponentType<{ devices: Devices; onClose: () => void }>>
  >
  api: Api
  /** The code of the pages of administrators. */
  admin: ModuleLoader<{ AdminPages: ComponentType<{ parts: readonly string[] }> }>
  /** The code of the pages of owners of technical users. */
  integrations: ModuleLoader<{ IntegrationPages: ComponentType<IntegrationPagesProps> }>
  theme: Theme
  language: Language
  /** Navigates to another page by its path. */
  go: (path: string) => void
  /** `go` after which the way back does not lead to the present page. */
  replace: (path: string) => void
  /** Enters a conference without the prejoin screen. */
  enterRoom: (as: RejoinState) => void
  room: CurrentRoom
  startedCalls: StartedCalls
  ringSetting: RingSetting
  silencedCall: SilencedCall
}
