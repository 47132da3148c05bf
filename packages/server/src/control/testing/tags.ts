/** The conferences that the directory of the tests has. */
export const TAG = 'aaaa-bbbbb-cccc'
export const OTHER_TAG = 'dddd-eeeee-ffff'
