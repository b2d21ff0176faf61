/**
 * Weights of `wornFeatures` in the log-odds of glasses, in steps: base64 of 16-bit numbers.
 *
 * Written by `npm run bench:glasses -- train` (see bench/glasses/README.md); do not edit.
 * first
 */
export const WORN_WEIGHTS =
  'puccv1P1Vgj3+eDt18b2E8fbB9snzQ0Pvhq48D8DoODNE0Lutwef/lMhU/DYNybq6wjp+k3hSuZb8nEgnc0D9/0P' +
  'q/cQAm7hHvqM+DPyawmFPHcZEcRMIS4ZY/lW6Uz18Oix/Kz9kPhbBw39NOarIMgtHwLj+Skit8T099nfcgYG388e' +
  'cv/h99cBcxfK+Ko3/ZYt8Uj/6fy8450A+xRL557ecAcu9IkICgROIycKftp0BLclkfEAyibh+SW3G3b20QpjDrvi' +
  'veN+FucNbSfT8VoINdZqHWgimQoPHdXniQ6EBP8dwhOcDLgIWgphBHQN2vibGHP41udGCR7j+uhG2xn5zxlQEGHk' +
  'te7d4o71fxJxCIEFnhDJ/YQcXwuq/doV+uRm+gX1Bd9L/gEBJx9eAm4Lxj2F/dn999poAYj0CQK+Bw4aPgofPPcq' +
  'gwTbJ6L7HjBcJ3cMBCRqM3T6AhZq6u8F7zCjFeERVxO+Cdz2BQiQAn79owamOGv3BvbeAR9XXQOsFP/uVeF94I70' +
  'fAbXAuDjZ/3yHY8WlQDsCfjqyt5U6JT43C8RAyXupfosEMrf7woM3iIGTNvBBp0GeS0l3w4LBRNU+fn0IA9HBJPj' +
  '2wbDFHT0RvHIFgorTjgF8dUFGPwP85TRkwtV5XwvWB7k7fhPExhP7nP9cjbkPGYNGjA4/kQJ6VJc9CAkskVU9kn3' +
  'EBo0/DHrjfwV7m4cShiMCsP1hAZy/4AvPAvu+RYCag4wExDsseKCHMrYewCPFoYc2P4m3xYK2O3B6Lj1HBhf4FzL' +
  'deR7Or0NuQbk8PgJwPZMGS3j/gRVE2D29u48E2Dy9CzlBLj6xw7zBR03zxb/2jNCYiq591/6PxWRKW7wIOgqFmga' +
  'bQ57+TZBGCgtByHifS/SQzYS2COwGqPHThcyLEc9mjCb0Cq/2hKWwQj6pQCU9svd0CMa+Cj51x4HAEIiofh/Dbbq' +
  '/Ou76x4CcQAh6zrtUVLF9aztrhaZ/gohFx+oFwQBczTjEoYC6vNOKeH2JxfaDQM5jw+ZOhn+hyVCAggGj/kyOWP1' +
  'KD/ILhPfs+hJN7cAZg+u/lhYYzJcBCXp4jpaHUbcDMU7HWoJl/SLyX9OsFqC4AfYRmOvFv89qzHGcILaSQvHWP9/' +
  'twZWAcv3J8+l1DEbDBQo3kbQhSwoTzkGsdKMFkFSQvIg7Fz22u0N7PgFtQ7CHCwny/1e6uTzVvMDDJzwbeMKQsnZ' +
  'eem0AX0v7vZOHnHWjvbG3g4OmQmiBADwSwO72osEutsfJ0oEq01DD7f/9gQnOa32NgsF+ExgbP9RISn3ajzRA2rX' +
  '7N/cHL79gvujGSJX/BdW6un7cRT9EcY+MiE8NuIMsBG7BWtZ8xpXLm4D++o4w8wy4xS5MbT2Yx34TvtAmKY3NDcx' +
  'GQphDvckyvujE6IjjCco+TwnSQjXMmYzG+42BPYPYwyLMNkZjfNU4m0A4/jzRDoBfe7c0rAijvRxB/0CRiM+zOQ3' +
  '4sfvN57vewuZDNEDigCRFh7nATXfAThF/RU+BD7sqyTr9t3ryg3tB8v1IC+LB5lJ/hYCAZsEo/6/rUVAtQh8Lar9' +
  'yuPIEansRtUkILH4b+egw2LmFupj9QTdNL/W7LQKa7mTBUAVVxY35wLrJeh1BaHLDs/aJH07p80X85jwLAyc8wMO' +
  'z/VpB/Ap7PlG0RRAWM8pVT7K0vXO3+f+qgt4wIfuFCT6BGE1JPJsF5T/at0IsuIDQO7CGBPMBf869QgHpAiY+C/8' +
  'hOtdz0vyOgFh6cEDjTC7GE4EagR0F6niBoHd/AIHZxNO2dYgdd2J2eDQTglp444a/QQx2vMXaf2OER7ybP4o2Ub6' +
  'pfgxE7z84yt+C53pjOmQ/z4PDfM0wjJK4c+5FhXmHjZk9FPjPuWG46glGCJe04ZJeb+eDgyhjfO109sWsgkg9/PO' +
  'dxDaIh8Bre4lKDIitAFd64jyDh1xDxAp6PbqAxQGSQsVDpQ3zs4O9wb3iQVa5/T2LPJvAjr7SOmJNokF2Aai70b5' +
  'YNW814QPmO4/4/koKQvVDG4b7hAS9poiB/X5BOgAih4MAb4iZOXqMLX1AEfB7L4FEufbOw/d5w4emuNgxOVEMaYA' +
  'gzl6OvHFPwEv1+kxWx1KKGNSADA2oO/rAhYZ9d7jWfX+0rgPlxxi+sIo0uC68SMCR9v08VsAZgmd7kf71+8YFyrt' +
  '3tNLBvwJLOWr7c7wvQy3DQ/SiPWgKOvu7vPrEr8P+egk9RkAHfGo6s0B6iBi54QPXwzIQDT9Tfozphv7B/CoIT8I' +
  'hf1dqTv7d61bDtX6/dvi6p0ImQP6DWAD0uPj1a7PWxreB/0TTPrz4v7LYRXO4dIOYQlo+EPmePMpp2nsPOxUtMHP' +
  'vfX16rv9Rukrw2/57axq55P5oMxhyLLiRRJK+mvrw8tOGKnHeK+4/UIVVvc934zWF+wT7vDn2QDPJ1fzM9VN/eL4';
/** Step of the weights. */
export const WORN_WEIGHT_STEP = 0.00020204512924656563;
/** Log-odds of glasses where no line is seen. */
export const WORN_BIAS = -11.44849189251531;
