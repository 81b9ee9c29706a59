package movement

// Where the definitions of vertical jumps were published.
var (
	linthorne = Source{"Linthorne NP (2001). Analysis of standing vertical jumps using a force platform. American " +
		"Journal of Physics 69(11):1198-1204.", "10.1119/1.1397460"}
	owen = Source{"Owen NJ, Watkins J, Kilduff LP, Bevan HR, Bennett MA (2014). Development of a criterion " +
		"method to determine peak mechanical power output in a countermovement jump. Journal of Strength and " +
		"Conditioning Research 28(6):1552-1558.", "10.1519/JSC.0000000000000311"}
	mcMahon = Source{"McMahon JJ, Suchomel TJ, Lake JP, Comfort P (2018). Understanding the key phases of the " +
		"countermovement jump force-time curve. Strength and Conditioning Journal 40(4):96-106.",
		"10.1519/SSC.0000000000000375"}
	bosco = Source{"Bosco C, Luhtanen P, Komi PV (1983). A simple method for measurement of mechanical power in " +
		"jumping. European Journal of Applied Physiology 50(2):273-282.", "10.1007/BF00422166"}
	ebben = Source{"Ebben WP, Petushek EJ (2010). Using the reactive strength index modified to evaluate " +
		"plyometric performance. Journal of Strength and Conditioning Research 24(8):1983-1987.",
		"10.1519/JSC.0b013e3181e72466"}
	bishop = Source{"Bishop C et al. (2019). Sports 7(1):29.", "10.3390/sports7010029"}
	young  = Source{"Young W (1995). Laboratory strength assessment of athletes. New Studies in Athletics 10:89-96.",
		""}
	healy = Source{"Healy R, Kenny IC, Harrison AJ (2018). Reactive strength index: a poor indicator of reactive " +
		"strength? International Journal of Sports Physiology and Performance 13(6):802-809.",
		"10.1123/ijspp.2017-0511"}
)
