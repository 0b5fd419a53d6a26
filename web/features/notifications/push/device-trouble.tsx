import { pushTexts as texts } from '@keyturn/contract/notifications/push-texts.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import type { DeviceFault } from './use-this-device.ts'

/** Why this browser cannot show notifications; none of it is the person's fault. */
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
