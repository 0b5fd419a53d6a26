import { pushTexts as texts } from '@keyturn/contract/notifications/push-texts.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import type { DeviceFault } from './use-this-device.ts'

/**
 * Explains why notifications cannot be switched on here. An info notice, because the person did
 * nothing wrong.
 */
export const DeviceTrouble = ({ of }: { of: DeviceFault }) => <Notice kind="info">{sentences[of]}</Notice>

const sentences: Record<DeviceFault, string> = {
  blocked: texts.blocked,
  homeScreen: texts.addToHomeScreen,
  insecure: texts.insecure,
  unsupported: texts.unsupported,
  notAllowed: texts.notAllowed,
  couldNot: texts.couldNot,
  notSaved: texts.notSaved,
}
