/** Settings that no document may change: what is not sandboxed away is switched off, too. */
const SETTINGS: [path: string, name: string, value: string][] = [
  ['Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['Writer/Content/Update', 'Link', '0'],
  ['Java/VirtualMachine', 'Enable', 'false'],
  ['Common/Misc', 'FirstRun', 'false'],
]

const item = ([path, name, value]: (typeof SETTINGS)[number]) =>
  `<item oor:path="/org.openoffice.Office.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`

/** The file `registrymodifications.xcu` of a new profile of LibreOffice. */
export const PROFILE = Buffer.from(
  `<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry">${SETTINGS.map(item).join('')}</oor:items>\n`,
)
