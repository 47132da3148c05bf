import { Switch } from '../../ui/Switch.tsx'
import { useValue } from '../../use-value.ts'
import type { SwitchSetting } from '../switch-setting.ts'

export function SettingSwitch({ label, setting }: { label: string; setting: SwitchSetting }) {
  return <Switch label={label} on={useValue(setting)} onChange={setting.choose} />
}
