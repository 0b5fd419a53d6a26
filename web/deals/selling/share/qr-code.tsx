import { QRCodeSVG } from 'qrcode.react'
import classes from './qr-code.module.css'

/** Large and always dark on white, with its quiet zone: that is what cameras read. */
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
