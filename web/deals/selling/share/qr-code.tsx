import { QRCodeSVG } from 'qrcode.react'
import type { Ref } from 'react'
import classes from './qr-code.module.css'

type QrCodeProps = { value: string; label: string; drawn: Ref<SVGSVGElement> }

/** Large, always dark on white, and with a quiet zone, so that cameras can read it. */
export function QrCode({ value, label, drawn }: QrCodeProps) {
  return (
    <div className={classes.frame}>
      <QRCodeSVG
        ref={drawn}
        value={value}
        size={256}
        level="M"
        marginSize={2}
        title={label}
        className={classes.code}
        role="img"
      />
    </div>
  )
}
