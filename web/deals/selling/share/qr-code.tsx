import { QRCodeSVG } from 'qrcode.react'
import classes from './qr-code.module.css'

/** Large, always dark on white, and with a quiet zone, so that cameras can read it. */
export function QrCode({ value, label }: { value: string; label: string }) {
  return (
    <div className={classes.frame}>
      <QRCodeSVG
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
