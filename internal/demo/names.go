package demo

// person is a made-up name as its bearer would write it.
type person struct {
	first, last string
	mail        string // the local part of an address, "" for who gave none
	gender      string // male, female, other; "" for who did not say
}

// people are of many scripts and habits: names are what software most often gets
// wrong, and a sample of Smiths would not show it.
var people = [Athletes]person{
	{"Maya", "Okafor", "maya.okafor", "female"},
	{"Łukasz", "Wiśniewski", "l.wisniewski", "male"},
	{"Анастасия", "Кузнецова", "a.kuznetsova", "female"},
	{"Дмитро", "Шевчук", "d.shevchuk", "male"},
	{"Ελένη", "Παπαδοπούλου", "eleni.p", "female"},
	{"Νίκος", "Γεωργίου", "", "male"},
	{"سارة", "الحداد", "sara.alhaddad", "female"},
	{"يوسف", "بن علي", "y.benali", "male"},
	{"נועה", "ברק", "noa.barak", "female"},
	{"אורי", "שגיא", "", "male"},
	{"अनन्या", "शर्मा", "ananya.sharma", "female"},
	{"अर्जुन", "वर्मा", "arjun.v", "male"},
	{"তাহমিনা", "রহমান", "tahmina.r", "female"},
	{"கவின்", "முருகன்", "kavin.m", "male"},
	{"സൂര്യ", "നായർ", "surya.nair", "other"},
	{"王", "小雨", "wang.xiaoyu", "female"},
	{"李", "浩然", "li.haoran", "male"},
	{"陳", "怡君", "yichun.chen", "female"},
	{"さくら", "藤原", "sakura.fujiwara", "female"},
	{"健太", "小野寺", "k.onodera", "male"},
	{"ハルカ", "森", "", "female"},
	{"지우", "김", "jiwoo.kim", "female"},
	{"민준", "박", "minjun.park", "male"},
	{"ณัฐพล", "ศรีสุข", "nattapon.s", "male"},
	{"พิมพ์ชนก", "แสงทอง", "pimchanok", "female"},
	{"Nguyễn", "Thị Hồng Nhung", "nhung.nguyen", "female"},
	{"Trần", "Quốc Bảo", "bao.tran", "male"},
	{"ნინო", "ბერიძე", "nino.beridze", "female"},
	{"Արամ", "Հակոբյան", "aram.h", "male"},
	{"ሰላም", "ተስፋዬ", "selam.t", "female"},
	{"Þórunn", "Jónsdóttir", "thorunn", "female"},
	{"Björn", "Åkesson", "bjorn.akesson", "male"},
	{"Siobhán", "Ní Bhriain", "siobhan.nb", "female"},
	{"Rhys", "ap Gwilym", "rhys.ag", "male"},
	{"Chloé", "d'Aubigny-Lefèvre", "chloe.dl", "female"},
	{"José María", "Núñez de la Peña", "jm.nunez", "male"},
	{"João", "Gonçalves", "joao.goncalves", "male"},
	{"Zoë", "van der Meer", "zoe.vandermeer", "female"},
	{"Jürgen", "Groß", "juergen.gross", "male"},
	{"Ágnes", "Szőke", "agnes.szoke", "female"},
	{"Šárka", "Dvořáková", "sarka.d", "female"},
	{"Ömer", "Çağlayan", "omer.caglayan", "male"},
	{"Deniz", "Işıksoy", "deniz.isiksoy", "other"},
	{"Ioana", "Țăranu", "ioana.taranu", "female"},
	{"Õnne", "Mägi", "onne.magi", "female"},
	{"Đorđe", "Živković", "dj.zivkovic", "male"},
	{"Kʻaulani", "Kealoha", "kaulani.k", "female"},
	{"Tāne", "Ngata", "tane.ngata", "male"},
	{"Wanjikũ", "Mwangi", "wanjiku.mwangi", "female"},
	{"Olúwaṣeun", "Adébáyọ̀", "seun.adebayo", "male"},
	{"Thandiwe", "Mkhize", "thandiwe.m", "female"},
	{"Suharto", "", "", "male"}, // one name is all that many people have
	{"Xóchitl", "Hernández", "xochitl.h", "female"},
	{"DeAndre", "Washington", "d.washington", "male"},
	{"Emily", "O'Connor", "emily.oconnor", "female"},
	{"Jean-Luc", "St. Pierre", "jl.stpierre", "male"},
	{"Mary Kate", "McAllister", "mk.mcallister", "female"},
	{"Bo", "Yi", "bo.yi", ""},
	{"Alexandria-Josephine", "Featherstonehaugh-Cholmondeley", "aj.fc", "female"},
	{"Tyler", "Brooks", "tyler.brooks", "male"},
}
